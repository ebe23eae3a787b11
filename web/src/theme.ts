import { createSystem, defaultBaseConfig, defineConfig } from '@chakra-ui/react';
import { animationStyles, keyframes } from './theme/motion.ts';
import { recipes } from './theme/recipes.ts';
import { slotRecipes } from './theme/slot-recipes.ts';
import { BREAKPOINTS, semanticTokens, tokens } from './theme/tokens.ts';

const config = defineConfig({
  preflight: true,
  cssVarsPrefix: 'o',
  cssVarsRoot: ':where(html)',
  globalCss: {
    '*': {
      '--global-font-body': 'fonts.body',
      '--global-font-mono': 'fonts.mono',
      '--global-color-border': 'colors.border',
      // Addresses and codes are compared character by character, so `//` must not be drawn as one sign.
      fontVariantLigatures: 'no-contextual',
    },
    // Sets the scrollbar colours, because Firefox otherwise draws white scrollbars in scrolling boxes, even on a dark
    // page.
    html: { colorPalette: 'brand', scrollbarColor: '{colors.fg.subtle} transparent' },
  },
  theme: {
    breakpoints: Object.fromEntries(Object.entries(BREAKPOINTS).map(([name, width]) => [name, `${width}px`])),
    keyframes,
    tokens,
    semanticTokens,
    textStyles: {
      xs: { value: { fontSize: 'xs', lineHeight: 'normal' } },
      sm: { value: { fontSize: 'sm', lineHeight: 'normal' } },
      md: { value: { fontSize: 'md', lineHeight: 'normal' } },
      lg: { value: { fontSize: 'lg', lineHeight: 'normal' } },
      xl: { value: { fontSize: 'xl', lineHeight: 'short' } },
      '2xl': { value: { fontSize: '2xl', lineHeight: 'short' } },
      '3xl': { value: { fontSize: '3xl', lineHeight: 'short' } },
      code: {
        value: {
          fontFamily: 'mono',
          fontVariantNumeric: 'tabular-nums',
          fontFeatureSettings: '"zero"',
          // Code runs left to right even on right-to-left pages, but is aligned with the start of the page's text.
          _rtl: { direction: 'ltr', unicodeBidi: 'isolate', textAlign: 'end' },
        },
      },
    },
    layerStyles: { disabled: { value: { opacity: '0.5', cursor: 'not-allowed' } } },
    animationStyles,
    recipes,
    slotRecipes,
  },
});

const chakra = createSystem(defaultBaseConfig, config);

/** Makes a function compute its result only once for each object. */
function oncePerObject<Given extends object, Result>(compute: (given: Given) => Result): (given: Given) => Result {
  const results = new WeakMap<Given, Result>();
  return (given) => {
    const result = results.get(given) ?? compute(given);
    results.set(given, result);
    return result;
  };
}

/**
 * The portal's Chakra system. Includes only our tokens and the recipes in use, to keep the sign-in page small. Compiles
 * each component's recipe once, because Chakra itself would do it again whenever the component renders.
 */
export const system: typeof chakra = {
  ...chakra,
  cva: oncePerObject((recipe: Parameters<typeof chakra.cva>[0]) => {
    const compiled = chakra.cva(recipe);
    return Object.assign(compiled, { merge: oncePerObject(compiled.merge.bind(compiled)) });
  }) as typeof chakra.cva,
};
