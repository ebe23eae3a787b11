import { appEnvOf, type QrPayload, qrAddress } from '@orchestrate/shared';
import { paths } from '../paths.ts';

const ownAuthenticator = () => new URL(paths.authenticator, window.location.origin).href;

/** The configured template for QR codes; without one they open the authenticator page of this portal. */
const template = (): string => import.meta.env.VITE_QR_TEMPLATE ?? ownAuthenticator();

/** The address that a QR code of this portal carries (design contract §4). */
export const qrLink = (payload: QrPayload): string =>
  qrAddress(template(), payload, appEnvOf(window.location.hostname));

/** Whether the QR codes lead to this portal's own, simulated authenticator. */
export const hasOwnAuthenticator = (): boolean => template() === ownAuthenticator();
