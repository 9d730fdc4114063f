import { useEffect } from "preact/hooks";
import { Mine } from "./mine.tsx";
import { SignIn } from "./sign-in.tsx";
import { useAccount } from "./use-account.ts";
import { useWords } from "./words.ts";

/** Who somebody is for this house: an address, what they registered for, what they bought. */
export function AccountApp({ asked }: { asked: string | undefined }) {
  const { texts } = useWords();
  const account = useAccount();
  const { state } = account;
  useEffect(() => {
    document.title = `${texts.title} · Sıra`;
  }, [texts]);
  const event = state.events.find(({ id }) => id === asked);
  switch (state.view) {
    case "loading":
      return <p role="status">{texts.loading}</p>;
    case "erased":
      return (
        <section class="say-all">
          <h1>{texts.erased[0]}</h1>
          <p>{texts.erased[1]}</p>
        </section>
      );
    case "in":
      return <Mine account={account} asked={asked} />;
    case "email":
    case "code":
      return <SignIn account={account} event={event?.name} />;
  }
}
