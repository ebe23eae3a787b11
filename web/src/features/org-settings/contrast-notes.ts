import { t } from '@lingui/core/macro';
import { contrastRatio, parseHex } from '../../lib/brand/brand-colour.ts';

/** WCAG 2.2 §1.4.11: the contrast that lines and buttons need against the page. */
const ENOUGH = 3;

const PAGES = [
  { name: 'light', surface: '#FFFFFF', shade: 'darker' },
  { name: 'dark', surface: '#1C1B19', shade: 'lighter' },
];

/**
 * On which pages a brand colour has too little contrast, and how the portal handles it. Nothing for texts that aren't
 * colours.
 */
export function contrastNotes(colour: string): string[] {
  const hex = parseHex(colour);
  if (!hex) return [];
  return PAGES.flatMap(({ name, surface, shade }) => {
    const ratio = contrastRatio(hex, surface);
    if (ratio >= ENOUGH) return [];
    return [
      t`Low contrast on ${name} pages: ${ratio.toFixed(1)} to 1, where 3 to 1 is needed. Links and lines use a ${shade} shade there.`,
    ];
  });
}
