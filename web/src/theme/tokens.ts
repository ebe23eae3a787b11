import { defineSemanticTokens, defineTokens } from '@chakra-ui/react';

const halves = Array.from({ length: 24 }, (_, at) => at / 2);
const wholes = Array.from({ length: 53 }, (_, at) => at + 12);
const steps = [...halves, ...wholes, 72, 80, 96];

/** The 4 px grid in rem, which scales with the user's text size. Step 1 is 4 px. */
const grid = Object.fromEntries(steps.map((step) => [String(step), { value: `${step / 4}rem` }]));

export const tokens = defineTokens({
  fonts: {
    body: { value: "'Inter Variable', 'Inter Fallback', system-ui, -apple-system, 'Segoe UI', sans-serif" },
    heading: { value: "'Inter Variable', 'Inter Fallback', system-ui, -apple-system, 'Segoe UI', sans-serif" },
    mono: { value: "'JetBrains Mono Variable', ui-monospace, 'SFMono-Regular', Menlo, monospace" },
  },
  fontSizes: {
    xs: { value: '0.75rem' },
    sm: { value: '0.8125rem' },
    md: { value: '0.875rem' },
    lg: { value: '1rem' },
    xl: { value: '1.25rem' },
    '2xl': { value: '1.5rem' },
    '3xl': { value: '2rem' },
    '4xl': { value: '2.75rem' },
  },
  fontWeights: {
    normal: { value: '400' },
    medium: { value: '500' },
    semibold: { value: '600' },
    bold: { value: '700' },
  },
  letterSpacings: {
    tight: { value: '-0.02em' },
    snug: { value: '-0.01em' },
    wide: { value: '0.04em' },
    code: { value: '0.12em' },
  },
  lineHeights: {
    none: { value: '1' },
    short: { value: '1.3' },
    normal: { value: '1.5' },
  },
  radii: {
    none: { value: '0' },
    xs: { value: '4px' },
    sm: { value: '6px' },
    md: { value: '8px' },
    lg: { value: '12px' },
    xl: { value: '16px' },
    '2xl': { value: '24px' },
    full: { value: '9999px' },
  },
  // `notice` is the height of the banner at the top of the page (`layout/missing-parts.tsx`).
  spacing: { ...grid, notice: { value: 'var(--notice, 0px)' } },
  sizes: {
    ...grid,
    xs: { value: '20rem' },
    sm: { value: '24rem' },
    md: { value: '28rem' },
    lg: { value: '32rem' },
    xl: { value: '36rem' },
    '2xl': { value: '42rem' },
    '4xl': { value: '56rem' },
    full: { value: '100%' },
    // Fields in a card, below each other.
    fields: { value: '43rem' },
    // A page of forms or text.
    text: { value: '1040px' },
    // A page of tables, including its padding. Fills a window up to 1920 px wide.
    content: { value: '1664px' },
    sidebar: { value: '256px' },
    sidebarCollapsed: { value: '72px' },
    header: { value: '64px' },
    view: { value: 'calc(100dvh - var(--notice, 0px))' },
  },
  durations: {
    fast: { value: '120ms' },
    moderate: { value: '150ms' },
    slow: { value: '180ms' },
  },
  easings: {
    out: { value: 'cubic-bezier(0.2, 0, 0, 1)' },
  },
  animations: {
    spin: { value: 'spin 0.8s linear infinite' },
    pulse: { value: 'pulse 1.6s ease-in-out infinite' },
  },
  borders: {
    none: { value: 'none' },
  },
  zIndex: {
    base: { value: 0 },
    docked: { value: 10 },
    sticky: { value: 20 },
    header: { value: 30 },
    notice: { value: 40 },
    popover: { value: 1000 },
    skipLink: { value: 1600 },
    toast: { value: 1700 },
    tooltip: { value: 1800 },
  },
});

type Shades = { solid: string; contrast: string; fg: string; subtle: string; muted: string; line: string };

/** Returns a status palette for both colour modes. `fg` on `subtle` and `contrast` on `solid` meet WCAG AA. */
function palette(light: Shades, dark: Shades) {
  const pair = (key: keyof Shades) => ({ value: { base: light[key], _dark: dark[key] } });
  return {
    solid: pair('solid'),
    contrast: pair('contrast'),
    fg: pair('fg'),
    subtle: pair('subtle'),
    muted: pair('muted'),
    emphasized: pair('line'),
    border: pair('line'),
    focusRing: pair('line'),
  };
}

export const semanticTokens = defineSemanticTokens({
  colors: {
    bg: {
      DEFAULT: { value: { base: '#FAFAF9', _dark: '#121110' } },
      panel: { value: { base: '#FFFFFF', _dark: '#1C1B19' } },
      subtle: { value: { base: '#FCFCFB', _dark: '#181715' } },
      muted: { value: { base: '#F4F4F2', _dark: '#272522' } },
      emphasized: { value: { base: '#E9E8E5', _dark: '#34312D' } },
      inverted: { value: { base: '#1C1917', _dark: '#F5F5F4' } },
      backdrop: { value: { base: 'rgb(28 25 23 / 0.44)', _dark: 'rgb(0 0 0 / 0.64)' } },
    },
    fg: {
      DEFAULT: { value: { base: '#1C1917', _dark: '#F5F5F4' } },
      muted: { value: { base: '#57534E', _dark: '#B5B0AA' } },
      subtle: { value: { base: '#716B65', _dark: '#989189' } },
      inverted: { value: { base: '#FFFFFF', _dark: '#1C1917' } },
      error: { value: { base: '#B91C1C', _dark: '#FF7B73' } },
    },
    border: {
      DEFAULT: { value: { base: '#E7E5E4', _dark: '#2F2C29' } },
      emphasized: { value: { base: '#D0CCC8', _dark: '#45413D' } },
      error: { value: { base: '#DC2626', _dark: '#F0605A' } },
    },
    brand: {
      solid: { value: 'var(--brand)' },
      contrast: { value: 'var(--brand-contrast)' },
      hover: { value: 'color-mix(in oklab, var(--brand) 90%, var(--brand-contrast))' },
      subtle: {
        value: {
          base: 'color-mix(in oklab, var(--brand) 16%, #FFFFFF)',
          _dark: 'color-mix(in oklab, var(--brand) 16%, #1C1B19)',
        },
      },
      muted: {
        value: {
          base: 'color-mix(in oklab, var(--brand) 28%, #FFFFFF)',
          _dark: 'color-mix(in oklab, var(--brand) 26%, #1C1B19)',
        },
      },
      emphasized: {
        value: {
          base: 'color-mix(in oklab, var(--brand) 48%, #FFFFFF)',
          _dark: 'color-mix(in oklab, var(--brand) 48%, #1C1B19)',
        },
      },
      fg: { value: { base: 'var(--brand-text-light)', _dark: 'var(--brand-text-dark)' } },
      line: { value: { base: 'var(--brand-line-light)', _dark: 'var(--brand-line-dark)' } },
      border: { value: { base: 'var(--brand-line-light)', _dark: 'var(--brand-line-dark)' } },
      focusRing: { value: { base: 'var(--brand-line-light)', _dark: 'var(--brand-line-dark)' } },
    },
    success: palette(
      { solid: '#15803D', contrast: '#FFFFFF', fg: '#157038', subtle: '#EBFBF1', muted: '#D2F5DF', line: '#22A35A' },
      { solid: '#22C55E', contrast: '#04170B', fg: '#4ADE80', subtle: '#0E2618', muted: '#143722', line: '#2FA861' },
    ),
    warning: palette(
      { solid: '#B45309', contrast: '#FFFFFF', fg: '#A2480A', subtle: '#FFF6E5', muted: '#FDE9C4', line: '#D97706' },
      { solid: '#FBBF24', contrast: '#1F1502', fg: '#FBBF24', subtle: '#2B2109', muted: '#41310A', line: '#C88A0E' },
    ),
    danger: palette(
      { solid: '#DC2626', contrast: '#FFFFFF', fg: '#B91C1C', subtle: '#FEF1F1', muted: '#FCDCDC', line: '#E24B4B' },
      { solid: '#DC2626', contrast: '#FFFFFF', fg: '#FF7B73', subtle: '#331513', muted: '#4A1A18', line: '#E0524C' },
    ),
    info: palette(
      { solid: '#2563EB', contrast: '#FFFFFF', fg: '#1D4ED8', subtle: '#EFF4FF', muted: '#DBE6FE', line: '#4B82F5' },
      { solid: '#3B72F0', contrast: '#FFFFFF', fg: '#93B4FD', subtle: '#141F3B', muted: '#1C2D57', line: '#4E7FEF' },
    ),
    neutral: palette(
      { solid: '#44403C', contrast: '#FFFFFF', fg: '#57534E', subtle: '#F4F4F2', muted: '#E9E8E5', line: '#A8A29E' },
      { solid: '#D6D3D1', contrast: '#1C1917', fg: '#B5B0AA', subtle: '#272522', muted: '#34312D', line: '#6B6660' },
    ),
  },
  shadows: {
    xs: { value: { base: '0 1px 2px rgb(28 25 23 / 0.06)', _dark: '0 1px 2px rgb(0 0 0 / 0.4)' } },
    md: {
      value: {
        base: '0 4px 16px -2px rgb(28 25 23 / 0.1), 0 1px 3px rgb(28 25 23 / 0.06)',
        _dark: '0 4px 16px -2px rgb(0 0 0 / 0.6)',
      },
    },
    lg: {
      value: {
        base: '0 16px 48px -8px rgb(28 25 23 / 0.18), 0 2px 6px rgb(28 25 23 / 0.06)',
        _dark: '0 16px 48px -8px rgb(0 0 0 / 0.7)',
      },
    },
  },
  radii: {
    l1: { value: '{radii.sm}' },
    l2: { value: '{radii.md}' },
    l3: { value: '{radii.lg}' },
  },
});

/** Layout breakpoints in px (spec 1 §9). A page narrower than `sm` is mobile. */
export const BREAKPOINTS = { xs: 780, sm: 1024, md: 1336, lg: 1600, xl: 1920 } as const;

/** Width of a QR code, in px (spec 1 §9). */
export const QR_PX = 256;
