import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import decodeQR from 'qr/decode.js';
import { expect, test } from 'vitest';
import { QR_PX } from '#theme/tokens.ts';
import { system } from '#theme.ts';
import { BrandMark } from './brand-mark.tsx';
import { MARK_PX, QrCode } from './qr-code.tsx';

// covers: spec 1.9.10
test('renders a QR code 256 px wide with error correction level H (30 %)', () => {
  // Thirty bytes need version 4 at error correction level H, and a smaller version at any other level (ISO/IEC
  // 18004).
  const value = 'https://portal.test/?aid=12345';
  render(
    <ChakraProvider value={system}>
      <QrCode value={value} label="QR code to add a device" />
    </ChakraProvider>,
  );
  const image = screen.getByRole('img', { name: 'QR code to add a device' });
  expect(image.dataset.qr).toBe(value);
  const drawing = image.querySelector('svg');
  expect(drawing?.getAttribute('width')).toBe('256');
  expect(drawing?.getAttribute('height')).toBe('256');
  expect(drawing?.getAttribute('viewBox')).toBe('0 0 33 33');
});

/** Draws the modules of a QR code in black and white, and its middle in one colour. */
function drawModules(modules: SVGSVGElement | null, middle: number) {
  const side = Number(modules?.getAttribute('viewBox')?.split(' ')[2]);
  const [quiet, scale] = [4, 4];
  const width = (side + 2 * quiet) * scale;
  const data = new Uint8Array(width * width * 4).fill(255);
  const fill = (x: number, y: number, w: number, h: number, grey: number) => {
    for (let row = Math.round((y + quiet) * scale); row < Math.round((y + h + quiet) * scale); row += 1) {
      for (let at = Math.round((x + quiet) * scale); at < Math.round((x + w + quiet) * scale); at += 1) {
        data.fill(grey, (row * width + at) * 4, (row * width + at) * 4 + 3);
      }
    }
  };
  const drawing = modules?.querySelectorAll('path')[1]?.getAttribute('d') ?? '';
  for (const [, x, y, w] of drawing.matchAll(/M(\d+)[ ,](\d+) ?h(\d+)v1H\d+z/g)) {
    fill(Number(x), Number(y), Number(w), 1, 0);
  }
  const mark = (side * MARK_PX) / QR_PX;
  fill((side - mark) / 2, (side - mark) / 2, mark, mark, middle);
  return { width, height: width, data };
}

test.each([0, 128, 255])('stays readable with a mark of any colour in its middle: %d', (middle) => {
  const value = `https://portal.acme.example/authenticator?orgCode=acme&qidCode=${'Zk3'.repeat(8)}&sourceId=portal`;
  const { container } = render(
    <ChakraProvider value={system}>
      <QrCode value={value} label="QR code to sign in" mark={<BrandMark name="Acme" size="lg" />} />
    </ChakraProvider>,
  );
  expect(decodeQR(drawModules(container.querySelector('svg'), middle))).toBe(value);
  expect(screen.getByText('A')).toBeTruthy();
});
