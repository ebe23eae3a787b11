import { ChakraProvider } from '@chakra-ui/react';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { system } from '#theme.ts';
import { QrCode } from './qr-code.tsx';

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
