/** Instructions for adding sign-in to an application, with files that contain the application's own values. */
export interface QuickStart {
  /** ID, unique among the quick starts for a protocol. */
  id: string;
  /** The product's name, in its own spelling. */
  title: string;
  /** Installation command. Absent if the integration comes with its server. */
  install?: string;
  /** Requirements for the application, e.g. a different redirect URI. */
  note?: string;
  files: readonly { name: string; text: string }[];
}

/** Quotes a string for JavaScript, YAML and C#. */
export const quoted = (text: string): string => JSON.stringify(text);

/** Quotes a string as an XML attribute value. */
export const attribute = (text: string): string =>
  `"${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')}"`;
