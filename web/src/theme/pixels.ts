/** Layout breakpoints in px (spec 1 §9). A page narrower than `sm` is mobile. */
export const BREAKPOINTS = { xs: 780, sm: 1024, md: 1336, lg: 1600, xl: 1920 } as const;

/** Width of a QR code, in px (spec 1 §9). */
export const QR_PX = 256;
