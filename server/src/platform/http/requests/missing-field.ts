import { MISSING_FIELD_RESULTS, orgCode, type ResultName } from '@orchestrate/shared';

// As a map: a caller's field may be called like a property that every object has.
const byName = new Map(Object.entries(MISSING_FIELD_RESULTS));

/** The result of its own that an absent field has, by its name, or as the code of an organisation under any name. */
export const missingFieldResult = (name: string, field: unknown): ResultName | undefined =>
  byName.get(name) ?? (field === orgCode ? 'ORG_MISSING' : undefined);
