import { appEnvOf, type QrPayload, qrAddress } from '@orchestrate/shared';
import { qrTemplate } from './qr-template.ts';

/** The address that a QR code of this portal carries (contract §14). */
export const qrLink = (payload: QrPayload): string =>
  qrAddress(qrTemplate(), payload, appEnvOf(window.location.hostname));
