import manifest from '../../package.json' with { type: 'json' }

/** The version of the product and of its packages. */
export const productVersion: string = manifest.version
