import { attributeLabel } from '../../../lib/format/attribute-label.ts';

/** A field to search by: its name on the wire, and its label. */
export interface SearchBy {
  field: string;
  label: string;
  /** In the middle of a sentence. */
  inSentence: string;
}

const everywhere: readonly SearchBy[] = [
  { field: 'firstName', label: 'First Name', inSentence: 'first name' },
  { field: 'lastName', label: 'Last Name', inSentence: 'last name' },
  { field: 'primaryEmail', label: 'Email', inSentence: 'e-mail' },
];

/** The fields of every organisation, then its own primary attribute where it has another. */
export function searchFieldsOf(primaryAttrField: string | undefined): readonly SearchBy[] {
  if (!primaryAttrField || everywhere.some(({ field }) => field === primaryAttrField)) return everywhere;
  const inSentence = attributeLabel(primaryAttrField);
  const label = inSentence.charAt(0).toUpperCase() + inSentence.slice(1);
  return [...everywhere, { field: primaryAttrField, label, inSentence }];
}
