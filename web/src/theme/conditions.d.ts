// Chakra generates its types from its own theme, which has no `xs`. Ours has (spec 1 §9), so its conditions join here.
import '../../node_modules/@chakra-ui/react/dist/types/styled-system/generated/conditions.gen.d.ts';

declare module '../../node_modules/@chakra-ui/react/dist/types/styled-system/generated/conditions.gen.d.ts' {
  interface Conditions {
    xs: string;
    xsOnly: string;
    xsDown: string;
  }
}
