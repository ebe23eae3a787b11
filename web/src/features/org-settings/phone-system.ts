import { createSystem } from '@chakra-ui/react';
import { BREAKPOINTS } from '@orchestrate/shared';
import { system } from '../../theme.ts';

/** Wider than any window: no style for larger screens ever holds. */
const NEVER = '99999px';

const narrow = createSystem(system._config, {
  theme: { breakpoints: Object.fromEntries(Object.keys(BREAKPOINTS).map((name) => [name, NEVER])) },
});

/** Our theme as it looks on a phone, for a part of a page; the page's own global styles stay the only ones. */
export const phoneSystem: typeof system = { ...narrow, _global: [] };
