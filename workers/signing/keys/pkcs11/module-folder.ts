import { fileURLToPath } from 'node:url'

/** The folder where `npm run pkcs11:build` installs and builds pkcs11js. The packages of the service do not have it. */
export const moduleFolder = fileURLToPath(new URL('../../../../dist/pkcs11/', import.meta.url))

/** The built add-on. */
export const addOnFile = `${moduleFolder}node_modules/pkcs11js/build/Release/pkcs11.node`
