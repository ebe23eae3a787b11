/** In characters; an AuthnRequest with its signature and certificate has about 5000. */
export const MESSAGE_MAX_LENGTH = 100_000;
