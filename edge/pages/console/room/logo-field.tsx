import { useWords } from "../words.tsx";

type Props = { logo: string | undefined; onLogo: (logo: string | undefined) => void };

/** What the settings take; more than that nobody on a bad network should wait for. */
const FILE_BYTES_MAX = 9_000;

/** A small picture from a file, as the address that holds it. */
export function LogoField({ logo, onLogo }: Props) {
  const { plan, texts } = useWords();
  const take = (input: HTMLInputElement) => {
    const file = input.files?.[0];
    input.setCustomValidity(file && file.size > FILE_BYTES_MAX ? plan.logoHint : "");
    if (!file || !input.reportValidity()) return;
    const reader = new FileReader();
    reader.onload = () => onLogo(typeof reader.result === "string" ? reader.result : undefined);
    reader.readAsDataURL(file);
  };
  return (
    <div class="field">
      <div class="actions">
        <label class="button quiet file">
          {plan.logo}
          <input
            type="file"
            accept="image/png,image/jpeg,image/webp"
            onChange={(event) => take(event.currentTarget)}
          />
        </label>
        {logo === undefined ? null : (
          <button type="button" class="quiet small" onClick={() => onLogo(undefined)}>
            {texts.remove}
          </button>
        )}
      </div>
      <small>{plan.logoHint}</small>
    </div>
  );
}
