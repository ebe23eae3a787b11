import { t } from '@lingui/core/macro';
import { attributeLabel } from '#lib/format/labels.ts';
import { capitalized } from '#lib/format/text.ts';
import { isShort } from './use-member-search.ts';

/** A searchable field: its name on the wire and its label. */
export interface SearchBy {
  field: string;
  label: string;
  /** Label within a sentence. */
  inSentence: string;
}

const ANY = 'any';

const everywhere: readonly SearchBy[] = [
  { field: 'firstName', label: t`First Name`, inSentence: t`first name` },
  { field: 'lastName', label: t`Last Name`, inSentence: t`last name` },
  { field: 'primaryEmail', label: t`Email`, inSentence: t`email` },
];

/** Lists all fields, the standard fields, then the organisation's primary attribute if it is another one. */
export function searchFieldsOf(primaryAttrField: string | undefined): readonly SearchBy[] {
  if (!primaryAttrField || everywhere.some(({ field }) => field === primaryAttrField))
    return [{ field: ANY, label: t`Everything`, inSentence: t`name or email` }, ...everywhere];
  const inSentence = attributeLabel(primaryAttrField);
  const label = capitalized(inSentence);
  return [
    { field: ANY, label: t`Everything`, inSentence: t`name, email or ${inSentence}` },
    ...everywhere,
    { field: primaryAttrField, label, inSentence },
  ];
}

/** Returns e.g. `with “mar” in the first name`, or `with “mar”` for any field. A short text matches only beginnings. */
export const conditionOf = (by: SearchBy | undefined, text: string) => {
  if (!isShort(text)) return contained(by, text);
  if (!by || by.field === ANY) return t`with a name starting with “${text}”`;
  return t`with “${text}” at the beginning of the ${by.inSentence}`;
};

const contained = (by: SearchBy | undefined, text: string) =>
  !by || by.field === ANY ? t`with “${text}”` : t`with “${text}” in the ${by.inSentence}`;
