/**
 * In characters, for the routes and for what they load later; an AuthnRequest with its signature and certificate has
 * about 5000.
 */
export const MESSAGE_MAX_LENGTH = 100_000;
