import { contrastRatio } from '@orchestrate/shared';
import { expect, test } from 'vitest';
import { AVATAR_COLOURS, AVATAR_HUES, avatarHueOf } from './initials-avatar.tsx';

/** Converts oklch to a hex colour as browsers do, clipping channels outside of sRGB. */
function hexOf([lightness, chroma]: readonly [number, number], hue: number): string {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const channels = linear.map((part) => {
    const value = part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055;
    return Math.round(255 * Math.min(1, Math.max(0, value)));
  });
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

test.each(Object.entries(AVATAR_COLOURS))('keeps initials readable on every colour in %s mode', (_, colours) => {
  for (const hue of AVATAR_HUES) {
    expect(contrastRatio(hexOf(colours.circle, hue), hexOf(colours.letters, hue))).toBeGreaterThanOrEqual(4.5);
  }
});

test('gives a person the same colour everywhere, and people different ones', () => {
  expect(avatarHueOf(' Mara Lindholm')).toBe(avatarHueOf('Mara Lindholm'));
  const names = ['Mara Lindholm', 'Marcus Oyelaran', 'Marek Dvorak', 'Omar Hassan', 'Tamara Quist', 'Amara Okafor'];
  expect(new Set(names.map(avatarHueOf)).size).toBeGreaterThan(3);
});
