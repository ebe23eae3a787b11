/** Instructions for signing people in to an application, with that application's own values in its files. */
export interface QuickStart {
  /** Unique among those of a protocol. */
  id: string;
  /** The product's own spelling. */
  title: string;
  /** The installation command; absent if it comes with the server that it is for. */
  install?: string;
  /** Requirements at the application, e.g. another redirect URI. */
  note?: string;
  files: readonly { name: string; text: string }[];
}

/** Quotes a text for JavaScript, YAML and C#. */
export const quoted = (text: string): string => JSON.stringify(text);

/** Quotes a text as the value of an XML attribute. */
export const attribute = (text: string): string =>
  `"${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')}"`;
