/** Of the interface that is served, whose paths, bodies and codes it names. Our own version is in package.json. */
export const apiVersion = '12.22.0'

/** Of the management operations within that interface. */
export const managementApiVersion = '1.36.0'
