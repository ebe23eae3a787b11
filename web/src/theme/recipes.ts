import { defineRecipe } from '@chakra-ui/react';

const button = defineRecipe({
  className: 'button',
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    position: 'relative',
    flexShrink: '0',
    borderRadius: 'l2',
    borderWidth: '1px',
    borderColor: 'transparent',
    whiteSpace: 'nowrap',
    userSelect: 'none',
    fontWeight: 'medium',
    lineHeight: 'short',
    cursor: 'pointer',
    outline: '0',
    transitionProperty: 'background-color, border-color, color, opacity',
    transitionDuration: 'fast',
    focusVisibleRing: 'outside',
    _disabled: { layerStyle: 'disabled' },
    _icon: { flexShrink: '0' },
  },
  variants: {
    size: {
      xs: { h: '7', minW: '7', px: '2', gap: '1.5', textStyle: 'xs', _icon: { boxSize: '3.5' } },
      sm: { h: '8', minW: '8', px: '3', gap: '1.5', textStyle: 'sm', _icon: { boxSize: '4' } },
      md: { h: '9', minW: '9', px: '3.5', gap: '2', textStyle: 'md', _icon: { boxSize: '4' } },
      lg: { h: '11', minW: '11', px: '5', gap: '2', textStyle: 'md', _icon: { boxSize: '4.5' } },
      xl: { h: '12', minW: '12', px: '6', gap: '2.5', textStyle: 'lg', _icon: { boxSize: '5' } },
    },
    variant: {
      solid: {
        bg: 'colorPalette.solid',
        color: 'colorPalette.contrast',
        // A dark button needs a border on a dark page. For a bright brand, the border is the brand colour.
        borderColor: { base: 'transparent', _dark: 'colorPalette.border' },
        _hover: { bg: 'color-mix(in oklab, {colors.colorPalette.solid} 90%, {colors.colorPalette.contrast})' },
        _expanded: { bg: 'color-mix(in oklab, {colors.colorPalette.solid} 90%, {colors.colorPalette.contrast})' },
      },
      subtle: { bg: 'colorPalette.subtle', color: 'colorPalette.fg', _hover: { bg: 'colorPalette.muted' } },
      outline: {
        bg: 'bg.panel',
        color: 'fg',
        borderColor: 'border',
        _hover: { bg: 'bg.muted' },
        _expanded: { bg: 'bg.muted' },
      },
      ghost: {
        bg: 'transparent',
        color: 'fg.muted',
        _hover: { bg: 'bg.muted', color: 'fg' },
        _expanded: { bg: 'bg.muted', color: 'fg' },
      },
      plain: {
        color: 'fg',
        textDecoration: 'underline',
        textUnderlineOffset: '3px',
        textDecorationColor: 'border.emphasized',
        _hover: { textDecorationColor: 'currentColor' },
      },
    },
  },
  defaultVariants: { size: 'md', variant: 'solid' },
});

const heading = defineRecipe({
  className: 'heading',
  base: {
    fontFamily: 'heading',
    fontWeight: 'semibold',
    letterSpacing: 'snug',
    lineHeight: 'short',
    textWrap: 'balance',
  },
  variants: {
    size: {
      sm: { fontSize: 'md' },
      md: { fontSize: 'lg' },
      lg: { fontSize: 'xl' },
      xl: { fontSize: '2xl', letterSpacing: 'tight' },
      '2xl': { fontSize: '3xl', letterSpacing: 'tight' },
      '3xl': { fontSize: '4xl', letterSpacing: 'tight' },
    },
  },
  defaultVariants: { size: 'lg' },
});

const input = defineRecipe({
  className: 'input',
  base: {
    width: 'full',
    minWidth: '0',
    appearance: 'none',
    borderRadius: 'l2',
    borderWidth: '1px',
    borderColor: 'border.emphasized',
    bg: 'bg.panel',
    color: 'fg',
    outline: '0',
    textOverflow: 'ellipsis',
    transitionProperty: 'border-color',
    transitionDuration: 'fast',
    focusVisibleRing: 'inside',
    // Chromium doesn't match `:focus` on the field while its calendar button is focused, so use `:focus-within`.
    '&:is([type=date], [type=datetime-local]):focus-within': {
      outline: '1px solid',
      outlineColor: 'focusRing',
      borderColor: 'focusRing',
    },
    // Looks the same as boxes that display read-only values.
    _readOnly: { bg: 'bg.subtle', borderColor: 'border' },
    _disabled: { layerStyle: 'disabled' },
    _invalid: { borderColor: 'border.error', focusRingColor: 'border.error' },
  },
  variants: {
    size: {
      sm: { h: '8', px: '2.5', textStyle: 'sm' },
      md: { h: '9', px: '3', textStyle: 'md' },
      lg: { h: '11', px: '3.5', textStyle: 'md' },
    },
    variant: { outline: {} },
  },
  defaultVariants: { size: 'md', variant: 'outline' },
});

const kbd = defineRecipe({
  className: 'kbd',
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    px: '1.5',
    h: '5',
    borderRadius: 'xs',
    borderWidth: '1px',
    borderColor: 'border',
    bg: 'bg.subtle',
    color: 'fg.subtle',
    fontFamily: 'body',
    textStyle: 'xs',
    whiteSpace: 'nowrap',
  },
});

const link = defineRecipe({
  className: 'link',
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '1.5',
    borderRadius: 'xs',
    cursor: 'pointer',
    outline: '0',
    color: 'fg',
    focusVisibleRing: 'outside',
    transitionProperty: 'color, text-decoration-color',
    transitionDuration: 'fast',
  },
  variants: {
    variant: {
      underline: {
        textDecoration: 'underline',
        textUnderlineOffset: '3px',
        textDecorationColor: 'border.emphasized',
        _hover: { textDecorationColor: 'currentColor' },
      },
      plain: { color: 'fg.muted', _hover: { color: 'fg' } },
    },
  },
  defaultVariants: { variant: 'underline' },
});

const skeleton = defineRecipe({
  className: 'skeleton',
  base: { maxW: 'full' },
  variants: {
    loading: {
      true: {
        bg: 'bg.emphasized',
        borderRadius: 'sm',
        color: 'transparent',
        flexShrink: '0',
        pointerEvents: 'none',
        userSelect: 'none',
        animation: 'pulse',
        '& *': { visibility: 'hidden' },
      },
    },
  },
  defaultVariants: { loading: true },
});

const spinner = defineRecipe({
  className: 'spinner',
  base: {
    display: 'inline-block',
    boxSize: 'var(--spinner-size)',
    borderRadius: 'full',
    borderWidth: '2px',
    borderStyle: 'solid',
    borderColor: 'currentColor',
    borderBottomColor: 'transparent',
    borderInlineStartColor: 'transparent',
    animation: 'spin',
  },
  variants: {
    size: {
      inherit: { '--spinner-size': '1em' },
      sm: { '--spinner-size': 'sizes.4' },
      md: { '--spinner-size': 'sizes.5' },
      lg: { '--spinner-size': 'sizes.8' },
    },
  },
  defaultVariants: { size: 'md' },
});

export const recipes = { button, heading, input, kbd, link, skeleton, spinner };
