import { chakra } from '@chakra-ui/react';

const COLOURS: Readonly<Record<string, string>> = {
  GET: 'info.fg',
  WS: 'info.fg',
  POST: 'success.fg',
  PUT: 'warning.fg',
  DELETE: 'danger.fg',
};

/** An operation's HTTP method, in the method's colour. */
export const MethodMark = ({ method }: { method: string }) => (
  <chakra.span
    textStyle="code"
    fontSize="xs"
    fontWeight="semibold"
    color={COLOURS[method] ?? 'fg'}
    w="12"
    flexShrink="0"
  >
    {method}
  </chakra.span>
);
