import { spelling } from './attributes.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

/** The same object with every attribute name spelt as in the schemas. */
export function spellNames(object: JsonObject): JsonObject {
  const spelt: JsonObject = {};
  for (const [name, value] of Object.entries(object)) {
    if (value !== undefined && name !== '__proto__') spelt[spelling(name)] = spellValue(value);
  }
  return spelt;
}

function spellValue(value: Json): Json {
  if (Array.isArray(value)) return value.map(spellValue);
  return isObject(value) ? spellNames(value) : value;
}
