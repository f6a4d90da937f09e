/** The Python of the distribution, for which apt-get installs packages. */
export const python = '/usr/bin/python3'
