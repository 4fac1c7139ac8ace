// Apart from what decodes images, which a server does not load.

/** The file is not an image that can be used; `message` is a sentence for people. */
export class UnusableImage extends Error {
  override readonly name = 'UnusableImage'
}

export const unsupportedFormat = 'The file is not an image in a supported format. Use JPEG, PNG, WebP, GIF or AVIF.'
