import { type Attribute, canonicalName, findAttribute } from './attributes.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

/** Returns the object with all attribute names spelt as in the schemas. */
export function spellNames(object: JsonObject): JsonObject {
  const spelt: JsonObject = {};
  for (const [name, value] of Object.entries(object)) {
    if (value !== undefined && name !== '__proto__') spelt[canonicalName(name)] = spellValue(value);
  }
  return spelt;
}

function spellValue(value: Json): Json {
  if (Array.isArray(value)) return value.map(spellValue);
  return isObject(value) ? spellNames(value) : value;
}

/** Returns only an object's defined attributes, recursively, with their defined spelling. */
export function spellAs(attributes: readonly Attribute[], object: JsonObject): JsonObject {
  const spelt: JsonObject = {};
  for (const [name, value] of Object.entries(object)) {
    const known = findAttribute(attributes, name);
    if (known && value !== undefined) spelt[known.name] = spellSubAttributes(known, value);
  }
  return spelt;
}

/** Returns an attribute's value with sub-attributes spelt as defined. */
export function spellSubAttributes({ subAttributes = [] }: Attribute, value: Json): Json {
  const one = (element: Json) =>
    isObject(element) && subAttributes.length > 0 ? spellAs(subAttributes, element) : element;
  return Array.isArray(value) ? value.map(one) : one(value);
}
