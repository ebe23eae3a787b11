import { defineAnimationStyles, defineKeyframes } from '@chakra-ui/react';

export const keyframes = defineKeyframes({
  spin: { to: { transform: 'rotate(360deg)' } },
  pulse: { '50%': { opacity: '0.5' } },
  'fade-in': { from: { opacity: 0 }, to: { opacity: 1 } },
  'fade-out': { from: { opacity: 1 }, to: { opacity: 0 } },
  'rise-in': { from: { translate: '0 6px' }, to: { translate: '0 0' } },
  'drop-in': { from: { translate: '0 -6px' }, to: { translate: '0 0' } },
  'from-left': { from: { translate: '-100% 0' }, to: { translate: '0 0' } },
  'to-left': { from: { translate: '0 0' }, to: { translate: '-100% 0' } },
  'from-right': { from: { translate: '100% 0' }, to: { translate: '0 0' } },
  'to-right': { from: { translate: '0 0' }, to: { translate: '100% 0' } },
  'from-bottom': { from: { translate: '0 100%' }, to: { translate: '0 0' } },
  'to-bottom': { from: { translate: '0 0' }, to: { translate: '0 100%' } },
});

export const animationStyles = defineAnimationStyles({
  appear: {
    value: { animationName: 'rise-in, fade-in', animationDuration: 'moderate', animationTimingFunction: 'out' },
  },
  vanish: { value: { animationName: 'fade-out', animationDuration: 'fast' } },
});
