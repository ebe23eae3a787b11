import { Box } from '@chakra-ui/react';
import { LIMITS } from '@orchestrate/shared';
import { QRCodeSVG } from 'qrcode.react';
import { QR_PX } from '#theme/tokens.ts';

interface QrCodeProps {
  /** Encoded URL. Also set in `data-qr`, for tests and scripts that act as a device. */
  value: string;
  /** Accessible name, e.g. 'QR code to sign in'. */
  label: string;
  /** In px. */
  size?: number;
}

/** A QR code on white in both colour modes, because cameras need the quiet zone. */
export function QrCode({ value, label, size = QR_PX }: QrCodeProps) {
  return (
    <Box data-qr={value} role="img" aria-label={label} p="3" bg="white" borderRadius="l3" lineHeight="0">
      <QRCodeSVG
        value={value}
        size={size}
        level={LIMITS.qrErrorCorrection}
        bgColor="#FFFFFF"
        fgColor="#1C1917"
        aria-hidden
        style={{ maxWidth: '100%', height: 'auto' }}
      />
    </Box>
  );
}
