import { expect, test } from 'vitest';
import { brandShades, contrastRatio, parseHex } from './brand-shades.ts';
import { DEFAULT_BRAND } from './limits.ts';

const LIGHT_PAGE = '#FAFAF9';
const DARK_PAGE = '#121110';

test('returns a contrast of 21 for black on white, and 1 for equal colours', () => {
  expect(contrastRatio('#000000', '#FFFFFF')).toBeCloseTo(21);
  expect(contrastRatio('#FACC15', '#FACC15')).toBe(1);
});

// covers: spec 2.2.46, spec 2.9.9
test('uses black text on the default yellow', () => {
  expect(brandShades('#FACC15').contrast).toBe('#1C1917');
});

test('uses white text on navy', () => {
  expect(brandShades('#0B1F4B').contrast).toBe('#FFFFFF');
});

test('keeps a colour that is readable on the page', () => {
  expect(brandShades('#0B1F4B').textLight).toBe('#0B1F4B');
  expect(brandShades('#FACC15').textDark).toBe('#FACC15');
});

test('darkens yellow text on a light page without losing its hue', () => {
  const { textLight } = brandShades('#FACC15');
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(textLight.slice(at, at + 2), 16)) as [
    number,
    number,
    number,
  ];
  expect(red).toBeGreaterThan(green);
  expect(green).toBeGreaterThan(blue + 40);
});

test('derives foregrounds that meet WCAG AA for every brand colour', () => {
  const steps = [0, 36, 73, 109, 146, 182, 219, 255].map((value) => value.toString(16).padStart(2, '0'));
  for (const red of steps) {
    for (const green of steps) {
      for (const blue of steps) {
        const shades = brandShades(`#${red}${green}${blue}`);
        expect(contrastRatio(shades.contrast, shades.brand), shades.brand).toBeGreaterThanOrEqual(4.5);
        expect(contrastRatio(shades.textLight, LIGHT_PAGE), shades.brand).toBeGreaterThanOrEqual(4.5);
        expect(contrastRatio(shades.textDark, DARK_PAGE), shades.brand).toBeGreaterThanOrEqual(4.5);
        expect(contrastRatio(shades.lineLight, LIGHT_PAGE), shades.brand).toBeGreaterThanOrEqual(3);
        expect(contrastRatio(shades.lineDark, DARK_PAGE), shades.brand).toBeGreaterThanOrEqual(3);
      }
    }
  }
});

// covers: spec 2.2.46
test('parses short hex and hex without #, and falls back to the default', () => {
  expect(parseHex('0af')).toBe('#00AAFF');
  expect(parseHex(' #00aaff ')).toBe('#00AAFF');
  for (const wrong of ['red', '#12', 'url(x)', '', '#1234567']) expect(parseHex(wrong)).toBeNull();
  expect(brandShades('javascript:alert(1)').brand).toBe(DEFAULT_BRAND);
  expect(brandShades(undefined).brand).toBe(DEFAULT_BRAND);
});
