const openXml = [
  'wordprocessingml.document',
  'wordprocessingml.template',
  'spreadsheetml.sheet',
  'spreadsheetml.template',
  'presentationml.presentation',
  'presentationml.template',
  'presentationml.slideshow',
  'presentationml.slide',
].map((name) => `application/vnd.openxmlformats-officedocument.${name}`)

const macros = [
  'word.document',
  'word.template',
  'excel.sheet',
  'excel.sheet.binary',
  'excel.template',
  'excel.addin',
  'powerpoint.presentation',
  'powerpoint.template',
  'powerpoint.slideshow',
  'powerpoint.slide',
  'powerpoint.addin',
].map((name) => `application/vnd.ms-${name}.macroenabled.12`)

const openDocument = [
  ...['text', 'text-template', 'text-master', 'spreadsheet', 'spreadsheet-template', 'presentation'],
  ...['presentation-template', 'graphics', 'graphics-template', 'chart', 'formula', 'image', 'base', 'database'],
].map((name) => `application/vnd.oasis.opendocument.${name}`)

const iWork = [
  ...['application/vnd.apple.keynote', 'application/vnd.apple.numbers', 'application/vnd.apple.pages'],
  ...['application/x-iwork-keynote-sffkey', 'application/x-iwork-numbers-sffnumbers'],
  'application/x-iwork-pages-sffpages',
]

const ole = [
  ...['application/msword', 'application/vnd.ms-excel', 'application/vnd.ms-powerpoint', 'application/vnd.ms-outlook'],
  ...['application/vnd.ms-project', 'application/vnd.ms-works', 'application/vnd.visio', 'application/x-mspublisher'],
  ...['application/x-msi', 'application/x-hwp', 'application/vnd.hancom.hwp'],
  // Those with a password are encrypted within an OLE container.
  ...openXml,
  ...macros,
]

const zip = [
  ...openXml,
  ...macros,
  ...openDocument,
  ...iWork,
  ...['application/epub+zip', 'application/java-archive', 'application/vnd.android.package-archive'],
  ...['application/vnd.ms-visio.drawing', 'application/vnd.visio', 'application/vnd.google-earth.kmz', 'model/3mf'],
  ...['model/vnd.usdz+zip', 'application/vnd.comicbook+zip', 'application/x-xpinstall'],
]

const matroska = ['webm', 'matroska', 'x-matroska'].flatMap((name) => [`video/${name}`, `audio/${name}`])

const heif = ['image/heif', 'image/heif-sequence', 'image/heic', 'image/heic-sequence', 'image/avif']

const mp4 = [
  ...['video/mp4', 'audio/mp4', 'application/mp4', 'audio/m4a', 'audio/x-m4a', 'video/x-m4v'],
  ...['video/3gpp', 'audio/3gpp', 'video/3gpp2', 'audio/3gpp2'],
]

const ogg = ['application/ogg', 'audio/ogg', 'video/ogg', 'audio/opus', 'audio/vorbis', 'audio/speex']

const asf = ['application/vnd.ms-asf', 'audio/x-ms-asf', 'video/x-ms-asf', 'audio/x-ms-wma', 'video/x-ms-wmv']

/**
 * By the type that a signature suggests: the types that the same container may carry. None of them may be active
 * content, such as HTML or SVG.
 */
export const carriedTypes: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  (
    [
      [['application/x-cfb'], ole],
      [['application/zip'], zip],
      // Archives of Android also have a manifest of Java.
      [['application/java-archive'], ['application/vnd.android.package-archive']],
      [['video/webm', 'video/matroska'], matroska],
      // Brands that do not name a format: `mif1` and `msf1`, and any that is unknown, which is taken for MP4.
      [['image/heif', 'image/heif-sequence'], heif],
      [['video/mp4'], [...mp4, ...heif]],
      [['audio/mp4', 'audio/x-m4a', 'video/x-m4v', 'video/3gpp', 'video/3gpp2'], mp4],
      [['application/ogg', 'audio/ogg', 'video/ogg'], ogg],
      [['application/vnd.ms-asf', 'audio/x-ms-asf', 'video/x-ms-asf'], asf],
    ] as const
  ).flatMap(([detected, carried]) => detected.map((type) => [type, new Set<string>(carried)] as const)),
)
