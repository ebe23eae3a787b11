import { type Attribute, attributeNamed, spelling } from './attributes.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

/** Returns the object with every attribute name spelt as in the schemas. */
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

/** Returns only the defined attributes of an object, recursively, with the defined spelling. */
export function spellAs(attributes: readonly Attribute[], object: JsonObject): JsonObject {
  const spelt: JsonObject = {};
  for (const [name, value] of Object.entries(object)) {
    const known = attributeNamed(attributes, name);
    if (known && value !== undefined) spelt[known.name] = spellPartsOf(known, value);
  }
  return spelt;
}

/** Returns the value of an attribute with its sub-attributes spelt as defined. */
export function spellPartsOf({ subAttributes = [] }: Attribute, value: Json): Json {
  const one = (element: Json) =>
    isObject(element) && subAttributes.length > 0 ? spellAs(subAttributes, element) : element;
  return Array.isArray(value) ? value.map(one) : one(value);
}
