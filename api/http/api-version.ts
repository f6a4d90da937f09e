/** The version of the interface: its paths, bodies and codes. The version of the product is in package.json. */
export const apiVersion = '12.22.0'

/** The version of the management operations of the interface. */
export const managementApiVersion = '1.36.0'
