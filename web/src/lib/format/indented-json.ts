import { readJson } from '@orchestrate/shared';

/** A JSON text, indented; unchanged where it is not JSON, because it was cut. */
export function indentedJson(text: string): string {
  const value = readJson(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}
