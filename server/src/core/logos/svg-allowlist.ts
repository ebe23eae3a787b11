const words = (text: string): string[] => text.trim().split(/\s+/);

/**
 * Elements allowed in an SVG logo: shapes, text, paint, filters and images, but nothing that runs, loads, links or
 * moves.
 */
export const SVG_ELEMENTS: ReadonlySet<string> = new Set(
  words(`
    svg g defs symbol use image title desc style a switch
    path rect circle ellipse line polyline polygon text tspan textPath
    linearGradient radialGradient stop pattern clipPath mask marker
    filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDistantLight
    feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset
    fePointLight feSpecularLighting feSpotLight feTile feTurbulence
  `),
);

export const SVG_ATTRIBUTES: ReadonlySet<string> = new Set(
  words(`
    id class style role aria-label version lang requiredExtensions systemLanguage
    x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy d points width height viewBox preserveAspectRatio transform
    transform-origin pathLength rotate
    fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit
    stroke-dasharray stroke-dashoffset color opacity display visibility overflow clip-path clip-rule mask filter
    paint-order vector-effect shape-rendering text-rendering color-rendering mix-blend-mode isolation
    image-rendering pointer-events white-space media
    font-family font-size font-size-adjust font-style font-weight font-variant font-stretch letter-spacing word-spacing text-anchor
    text-decoration dominant-baseline alignment-baseline baseline-shift writing-mode direction unicode-bidi
    textLength lengthAdjust startOffset method spacing side
    offset stop-color stop-opacity gradientUnits gradientTransform spreadMethod
    patternUnits patternContentUnits patternTransform maskUnits maskContentUnits mask-type clipPathUnits
    marker-start marker-mid marker-end markerWidth markerHeight markerUnits refX refY orient
    filterUnits primitiveUnits in in2 result type values mode operator k1 k2 k3 k4 stdDeviation edgeMode radius
    tableValues slope intercept amplitude exponent flood-color flood-opacity lighting-color
    color-interpolation color-interpolation-filters order kernelMatrix divisor bias targetX targetY preserveAlpha
    surfaceScale diffuseConstant specularConstant specularExponent azimuth elevation z pointsAtX pointsAtY pointsAtZ
    limitingConeAngle baseFrequency numOctaves seed stitchTiles
  `),
);

/** Attributes that never contain CSS, so parentheses in their values are harmless. */
export const SVG_PLAIN_ATTRIBUTES: ReadonlySet<string> = new Set(['id', 'class', 'aria-label']);

/** Elements that draw nothing. They are dropped without being reported. */
export const SVG_INERT_ELEMENTS: ReadonlySet<string> = new Set(['metadata', 'view', 'cursor']);

/** Attributes without effect, such as editor attributes. They are dropped without being reported. */
export const SVG_INERT_ATTRIBUTES =
  /^(?:data-|aria-|xmlns$|tabindex$|focusable$|enable-background$|baseProfile$|content(?:Script|Style)Type$|zoomAndPan$|requiredFeatures$|externalResourcesRequired$|target$|rel$|type$|kerning$|glyph-orientation-)/;

/** CSS functions that load nothing. `url()` is checked separately. */
export const CSS_FUNCTIONS: ReadonlySet<string> = new Set(
  words(`
    rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark
    var env calc min max clamp round abs sign sqrt pow
    matrix translate translatex translatey scale scalex scaley rotate skewx skewy skew
    matrix3d translate3d translatez scale3d scalez rotate3d rotatex rotatey rotatez perspective
    blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia
    linear-gradient radial-gradient conic-gradient
    repeating-linear-gradient repeating-radial-gradient repeating-conic-gradient
    inset circle ellipse polygon path rect xywh cubic-bezier steps
    local format tech selector
  `),
);

/** At-rules that load nothing. Their contents are checked like everything else. */
export const CSS_AT_RULES: ReadonlySet<string> = new Set([
  'media',
  'supports',
  'layer',
  'container',
  'font-face',
  'property',
]);
