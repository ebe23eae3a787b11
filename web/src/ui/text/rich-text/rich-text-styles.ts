import type { SystemStyleObject } from '@chakra-ui/react';

/** Rich text styles for the editor and the read-only view. */
export const richTextStyles: SystemStyleObject = {
  overflowWrap: 'anywhere',
  '& > * + *': { mt: '3' },
  '& h2': { fontSize: 'lg', fontWeight: 'semibold', letterSpacing: 'snug', pt: '1' },
  '& h3': { fontSize: 'md', fontWeight: 'semibold', pt: '1' },
  '& strong': { fontWeight: 'semibold' },
  '& em': { fontStyle: 'italic' },
  '& u': { textDecoration: 'underline', textUnderlineOffset: '2px' },
  '& ul': { listStyleType: 'disc', ps: '5' },
  '& ol': { listStyleType: 'decimal', ps: '5' },
  '& li + li, & li > * + *': { mt: '1' },
  '& blockquote': { borderInlineStartWidth: '3px', borderColor: 'border.emphasized', ps: '4', color: 'fg.muted' },
  '& code': { fontFamily: 'mono', fontSize: '0.92em', bg: 'bg.muted', borderRadius: 'xs', px: '1', py: '0.5' },
  '& pre': { bg: 'bg.muted', borderRadius: 'l2', p: '3.5', overflowX: 'auto' },
  '& pre code': { p: '0', bg: 'transparent', overflowWrap: 'normal' },
  '& table': { w: 'full', borderCollapse: 'collapse' },
  '& :is(th, td)': { borderWidth: '1px', px: '2.5', py: '1.5', textAlign: 'start', verticalAlign: 'top' },
  '& th': { fontWeight: 'semibold', bg: 'bg.muted' },
  '& a': {
    textDecoration: 'underline',
    textUnderlineOffset: '3px',
    borderRadius: 'xs',
    outline: '0',
    focusVisibleRing: 'outside',
  },
  '& mark': { bg: 'warning.muted', color: 'fg', borderRadius: 'xs' },
};
