import { Box, type BoxProps } from '@chakra-ui/react';
import { brandShades } from '@orchestrate/shared';

interface BrandScopeProps extends BoxProps {
  /**
   * An organisation's brand colour as `#rrggbb`. The default colour is used while it is undefined, e.g. until it is
   * loaded.
   */
  colour: string | undefined;
}

const mixed = (brand: string, percent: number, surface: string) =>
  `color-mix(in oklab, ${brand} ${percent}%, ${surface})`;

/**
 * Shows its content in an organisation's brand colour. The theme computes its brand tokens at the root of the page,
 * so this component sets them again, along with the palette for buttons and focus rings.
 */
export function BrandScope({ colour, css, ...props }: BrandScopeProps) {
  const shades = brandShades(colour);
  return (
    <Box
      colorPalette="brand"
      css={[
        {
          '--o-colors-brand-solid': shades.brand,
          '--o-colors-brand-contrast': shades.contrast,
          '--o-colors-brand-subtle': mixed(shades.brand, 12, '#FFFFFF'),
          '--o-colors-brand-muted': mixed(shades.brand, 22, '#FFFFFF'),
          '--o-colors-brand-fg': shades.textLight,
          '--o-colors-brand-line': shades.lineLight,
          '--o-colors-brand-border': shades.lineLight,
          '--o-colors-brand-focus-ring': shades.lineLight,
          _dark: {
            '--o-colors-brand-subtle': mixed(shades.brand, 16, '#1C1B19'),
            '--o-colors-brand-muted': mixed(shades.brand, 26, '#1C1B19'),
            '--o-colors-brand-fg': shades.textDark,
            '--o-colors-brand-line': shades.lineDark,
            '--o-colors-brand-border': shades.lineDark,
            '--o-colors-brand-focus-ring': shades.lineDark,
          },
        },
        css,
      ]}
      {...props}
    />
  );
}
