import { t } from '@lingui/core/macro';
import { attributeLabel } from '#lib/format/labels.ts';
import { capitalize } from '#lib/format/text.ts';
import { isShortSearch } from './use-member-search.ts';

/** Searchable field with its API name and label. */
export interface MemberSearchField {
  field: string;
  label: string;
  /** Lower-case label for use in a sentence. */
  inSentence: string;
}

const ANY = 'any';

const everywhere: readonly MemberSearchField[] = [
  { field: 'firstName', label: t`First Name`, inSentence: t`first name` },
  { field: 'lastName', label: t`Last Name`, inSentence: t`last name` },
  { field: 'primaryEmail', label: t`Email`, inSentence: t`email` },
];

/**
 * Lists the search fields: all fields combined, the standard fields, and the organisation's primary attribute if it
 * isn't one of them.
 */
export function searchFieldsOf(primaryAttrField: string | undefined): readonly MemberSearchField[] {
  if (!primaryAttrField || everywhere.some(({ field }) => field === primaryAttrField))
    return [{ field: ANY, label: t`All fields`, inSentence: t`name or email` }, ...everywhere];
  const inSentence = attributeLabel(primaryAttrField);
  const label = capitalize(inSentence);
  return [
    { field: ANY, label: t`All fields`, inSentence: t`name, email or ${inSentence}` },
    ...everywhere,
    { field: primaryAttrField, label, inSentence },
  ];
}

/**
 * Returns a phrase such as `with “mar” in the first name`, or `with “mar”` for all fields. Short texts match only the
 * beginning of a field.
 */
export const searchPhrase = (by: MemberSearchField | undefined, text: string) => {
  if (!isShortSearch(text)) return contained(by, text);
  if (!by || by.field === ANY) return t`with a name starting with “${text}”`;
  return t`with “${text}” at the beginning of the ${by.inSentence}`;
};

const contained = (by: MemberSearchField | undefined, text: string) =>
  !by || by.field === ANY ? t`with “${text}”` : t`with “${text}” in the ${by.inSentence}`;
