/** No text that is compared or kept as a name is longer. */
const LONGEST = 2_000;

/**
 * A text in composed form (NFC), so that equal names are equal texts. One that is too long for a name stays as it is:
 * composing it takes time that grows with the square of its accents.
 */
export const composed = (text: string): string => (text.length > LONGEST ? text : text.normalize());
