import { Box, Center } from '@chakra-ui/react';
import { LIMITS } from '@orchestrate/shared';
import { QRCodeSVG } from 'qrcode.react';
import type { ReactNode } from 'react';
import { QR_PX } from '#theme/tokens.ts';

interface QrCodeProps {
  /** Encoded URL. Also set in `data-qr`, for tests and scripts that act as a device. */
  value: string;
  /** Accessible name, e.g. 'QR code to sign in'. */
  label: string;
  /** In px. */
  size?: number;
  /** Decorative mark in the middle, e.g. the organisation's logo. */
  mark?: ReactNode;
}

/** Side of the middle that the code leaves free for a mark, in px: 4 % of its area, of the 30 % that level H restores. */
export const MARK_PX = 52;

/** Makes the code leave its middle free. The mark is an element above it, which can fall back to the initial. */
const RESERVE = {
  src: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E",
  width: MARK_PX,
  height: MARK_PX,
  excavate: true,
};

/** A QR code on white in both colour modes, because cameras need the quiet zone. */
export function QrCode({ value, label, size = QR_PX, mark }: QrCodeProps) {
  return (
    <Box
      data-qr={value}
      role="img"
      aria-label={label}
      position="relative"
      p="3"
      bg="white"
      borderRadius="l3"
      lineHeight="0"
      forcedColorAdjust="none"
    >
      <QRCodeSVG
        value={value}
        size={size}
        level={LIMITS.qrErrorCorrection}
        bgColor="#FFFFFF"
        fgColor="#1C1917"
        {...(mark !== undefined && { imageSettings: RESERVE })}
        aria-hidden
        style={{ maxWidth: '100%', height: 'auto' }}
      />
      {mark !== undefined && (
        <Center aria-hidden position="absolute" inset="0">
          {/* Narrower than the reserve, whatever the logo's shape. */}
          <Center w={`${MARK_PX - 8}px`} overflow="hidden" css={{ '& img': { maxWidth: '100%', padding: 0 } }}>
            {mark}
          </Center>
        </Center>
      )}
    </Box>
  );
}
