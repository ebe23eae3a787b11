/** A JSON text, indented; unchanged where it is not JSON, because it was cut. */
export function indentedJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
