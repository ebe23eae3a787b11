import { paths } from '#paths.ts';

const ownAuthenticator = () => new URL(paths.authenticator, window.location.origin).href;

/** The configured template for QR codes; without one they open the authenticator page of this portal. */
export const qrTemplate = (): string => import.meta.env.VITE_QR_TEMPLATE ?? ownAuthenticator();

/** Whether the QR codes lead to this portal's own, simulated authenticator. */
export const hasOwnAuthenticator = (): boolean => qrTemplate() === ownAuthenticator();
