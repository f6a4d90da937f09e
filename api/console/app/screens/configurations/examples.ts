import type { Profile } from '../../kit/configurations.ts'
import { language, say, type Text } from '../../kit/language.ts'
import { session } from '../../kit/session.ts'
import type { Body } from './body.ts'
import { pathTo } from './claim-rows.ts'
import { exampleTexts as texts } from './texts.ts'

/** A valid configuration to start from. */
export interface Example {
  /** The name in the address. */
  name: string
  profile: Profile
  title: Text
  about: Text
  body: () => Body
}

const required = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { mapFrom: pathTo(name), required: true }]))
const optional = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { mapFrom: pathTo(name) }]))

/** Returns a display entry in the language of the console. */
function display(title: Text, backgroundColor: string): Body[] {
  return [{ name: say(title), locale: language.value, backgroundColor, textColor: '#ffffff' }]
}

const issuerName = () => session.value?.tenantName ?? ''

export const examples: readonly Example[] = [
  {
    name: 'student-card',
    profile: 'compact-semantic',
    title: texts.studentCard,
    about: texts.studentCardAbout,
    body: () => ({
      type: 'StudentCard',
      claimMappings: { ...required('given_name', 'family_name', 'student_number'), ...optional('programme') },
      revocable: true,
      expiresIn: { years: 1 },
      display: display(texts.studentCard, '#1f4e79'),
    }),
  },
  {
    name: 'employee-badge',
    profile: 'compact',
    title: texts.employeeBadge,
    about: texts.employeeBadgeAbout,
    body: () => ({
      type: 'EmployeeBadge',
      claimMappings: { ...required('given_name', 'family_name', 'employee_number'), ...optional('department') },
      revocable: true,
      expiresIn: { years: 2 },
      display: display(texts.employeeBadge, '#155e4c'),
    }),
  },
  {
    name: 'course-certificate',
    profile: 'web-semantic',
    title: texts.courseCertificate,
    about: texts.courseCertificateAbout,
    body: () => ({
      name: say(texts.courseCertificate),
      type: 'CourseCertificate',
      issuer: { name: issuerName() },
      claimMappings: { ...required('given_name', 'family_name', 'course'), ...optional('grade') },
      revocable: true,
      display: display(texts.courseCertificate, '#5b2a86'),
    }),
  },
  {
    name: 'driving-licence',
    profile: 'mobile',
    title: texts.drivingLicence,
    about: texts.drivingLicenceAbout,
    body: () => ({
      type: 'org.iso.18013.5.1.mDL',
      claimMappings: {
        'org.iso.18013.5.1': {
          ...required('family_name', 'given_name', 'birth_date', 'issue_date', 'expiry_date', 'issuing_country'),
          issuing_authority: { mapFrom: pathTo('issuing_authority'), defaultValue: issuerName(), required: true },
          ...required('document_number', 'portrait', 'driving_privileges', 'un_distinguishing_sign'),
          ...optional('age_over_18'),
        },
      },
      includeStatus: true,
      validUntil: { mapFrom: pathTo('expiry_date') },
      expiresIn: { years: 1 },
      display: display(texts.drivingLicence, '#8a2f4a'),
    }),
  },
  {
    name: 'member-card',
    profile: 'sd-jwt',
    title: texts.memberCard,
    about: texts.memberCardAbout,
    body: () => ({
      name: say(texts.memberCard),
      claimMappings: {
        ...required('given_name', 'family_name'),
        age_over_18: { mapFrom: pathTo('age_over_18'), type: 'boolean' },
        address: { members: { locality: { mapFrom: 'claims.address.locality' } } },
      },
      includeStatus: true,
      expiresIn: { years: 1 },
      display: display(texts.memberCard, '#3b4a6b'),
    }),
  },
]

/** Configurations with only the required members. */
export const empties: Record<Profile, () => Body> = {
  compact: () => ({ claimMappings: {} }),
  'compact-semantic': () => ({ claimMappings: {} }),
  'web-semantic': () => ({ name: '', type: '', issuer: { name: issuerName() }, claimMappings: {} }),
  mobile: () => ({ type: '', claimMappings: {} }),
  'sd-jwt': () => ({ name: '', claimMappings: {} }),
}
