/** How a program signs people in to an application, with that application's own values in its files. */
export interface QuickStart {
  /** Unique among those of a protocol. */
  id: string;
  /** As its makers write it. */
  title: string;
  /** The command that installs it; absent where it comes with the server that it is for. */
  install?: string;
  /** What must be so at the application before it works, e.g. another callback address. */
  note?: string;
  files: readonly { name: string; text: string }[];
}

/** A text in double quotes, as JavaScript, YAML and C# read it. */
export const quoted = (text: string): string => JSON.stringify(text);

/** A text as the value of an XML attribute in double quotes. */
export const attribute = (text: string): string =>
  `"${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')}"`;
