import { paths } from '#paths.ts';

const ownAuthenticator = () => new URL(paths.authenticator, window.location.origin).href;

/** Returns the configured template for QR codes; by default they open this portal's authenticator page. */
export const qrTemplate = (): string => import.meta.env.VITE_QR_TEMPLATE ?? ownAuthenticator();

/** Returns true if the QR codes open this portal's simulated authenticator. */
export const hasOwnAuthenticator = (): boolean => qrTemplate() === ownAuthenticator();
