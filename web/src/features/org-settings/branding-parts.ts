/** Where each field of the branding appears on the sign-in page, in the order of the drawing's numbers. */
export const brandingParts = [
  { field: 'Name', where: 'Beside the mark in the brand panel, and in mails.' },
  { field: 'Colour', where: 'The brand panel, the main button, links and what is chosen.' },
  {
    field: 'Banner text',
    where: 'Large in the brand panel; its first short sentence is the headline. Not on a phone.',
  },
  { field: 'Copyright text', where: 'At the foot of the brand panel; on a phone at the foot of the page.' },
  { field: 'Logo', where: 'Above the title. Without one nothing stands there.' },
  { field: 'Title', where: 'The heading of the page and the name of the browser tab.' },
  { field: 'Login button name', where: 'On the main button.' },
] as const;
