// Writes the configuration of bare workerd, in Cap'n Proto's text form: a small front that serves
// the static files as Cloudflare does, and behind it the Worker with its Durable Objects on disk.

export interface WorkerdConfig {
  readonly port: number;
  readonly host: string;
  readonly compatibilityDate: string;
  readonly compatibilityFlags: readonly string[];
  /** Binding name → class name. */
  readonly durableObjects: Readonly<Record<string, string>>;
  /** Values are read from workerd's own environment, so that no secret is written to the file. */
  readonly variables: readonly string[];
  readonly gateBundle: string;
  readonly frontBundle: string;
  readonly assetsDir: string;
  readonly assetManifest: string;
  readonly storageDir: string;
  /** JSON list of the hosts of proxied sites: there no page of ours answers. */
  readonly proxyHosts: string;
  /** Development: hosts of others may stand on this machine too. */
  readonly outboundPrivate: boolean;
  /** Further authorities that the gate's own connections trust, PEM. */
  readonly trustedCertificates: readonly string[];
}

export function renderWorkerdConfig(config: WorkerdConfig): string {
  const compatibility = [
    `compatibilityDate = ${text(config.compatibilityDate)},`,
    `compatibilityFlags = [${config.compatibilityFlags.map(text).join(", ")}],`,
  ].join("\n    ");
  const objects = Object.entries(config.durableObjects);
  const namespaces = objects.map(
    ([, className]) =>
      `(className = ${text(className)}, uniqueKey = ${text(`sira-${className}`)}, enableSql = true)`,
  );
  const bindings = [
    ...config.variables.map((name) => `(name = ${text(name)}, fromEnvironment = ${text(name)})`),
    ...objects.map(([name, className]) => {
      return `(name = ${text(name)}, durableObjectNamespace = ${text(className)})`;
    }),
    '(name = "ASSETS", service = "assets")',
    '(name = "OUTBOUND", service = "outbound")',
  ];
  const assetBindings = `(name = "FILES", service = "files"),
    (name = "MANIFEST", json = ${text(config.assetManifest)}),
    (name = "PROXY_HOSTS", json = ${text(config.proxyHosts)})`;
  const trusted =
    config.trustedCertificates.length === 0
      ? ""
      : `, trustedCertificates = [${config.trustedCertificates.map(text).join(", ")}]`;
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "front", worker = .front),
    (name = "assets", worker = .assets),
    (name = "gate", worker = .gate),
    (name = "files", disk = (path = ${text(config.assetsDir)})),
    (name = "storage", disk = (path = ${text(config.storageDir)}, writable = true)),
    (name = "outbound", network = (
      allow = [${config.outboundPrivate ? '"public", "private"' : '"public"'}],
      tlsOptions = (trustBrowserCas = true${trusted})
    )),
    (name = "internet", network = (
      allow = ["public", "private"],
      tlsOptions = (trustBrowserCas = true${trusted})
    )),
  ],
  sockets = [(name = "http", address = ${text(`${config.host}:${config.port}`)}, http = (), service = "front")],
);

const front :Workerd.Worker = (
  modules = [(name = "front.js", esModule = embed ${text(config.frontBundle)})],
  bindings = [${assetBindings}, (name = "GATE", service = "gate")],
  ${compatibility}
);

const assets :Workerd.Worker = (
  modules = [(name = "front.js", esModule = embed ${text(config.frontBundle)})],
  bindings = [${assetBindings}],
  ${compatibility}
);

const gate :Workerd.Worker = (
  modules = [(name = "gate.js", esModule = embed ${text(config.gateBundle)})],
  bindings = [
    ${bindings.join(",\n    ")},
  ],
  durableObjectNamespaces = [
    ${namespaces.join(",\n    ")},
  ],
  durableObjectStorage = (localDisk = "storage"),
  ${compatibility}
);
`;
}

/** Cap'n Proto's string literals escape as C's do, which JSON's escapes are a part of. */
function text(value: string): string {
  return JSON.stringify(value);
}
