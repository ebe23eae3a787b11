import { t } from '@lingui/core/macro';
import { DEFAULT_BRAND } from '@orchestrate/shared';
import { contrastRatio, parseHex } from '../../lib/brand/brand-colour.ts';
import { formatNumber } from '../../lib/format/number.ts';

/** WCAG 2.2 §1.4.11: the contrast that lines and buttons need against the page. */
const ENOUGH = 3;

const PAGES = [
  {
    surface: '#FFFFFF',
    note: (ratio: string) =>
      t`Low contrast on light pages: ${ratio} to 1, where 3 to 1 is needed. Links and lines use a darker shade there.`,
  },
  {
    surface: '#1C1B19',
    note: (ratio: string) =>
      t`Low contrast on dark pages: ${ratio} to 1, where 3 to 1 is needed. Links and lines use a lighter shade there.`,
  },
];

/**
 * On which pages a brand colour has too little contrast, and how the portal handles it. Nothing for texts that aren't
 * colours, or for the portal's own colour, which nobody has chosen.
 */
export function contrastNotes(colour: string): string[] {
  const hex = parseHex(colour);
  if (!hex || hex.toUpperCase() === DEFAULT_BRAND) return [];
  return PAGES.flatMap(({ surface, note }) => {
    const ratio = contrastRatio(hex, surface);
    return ratio >= ENOUGH ? [] : [note(formatNumber(Number(ratio.toFixed(1))))];
  });
}
