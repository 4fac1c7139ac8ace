import { portraits } from './pictures.ts'
import type { Gender, Person } from './shapes.ts'

// Keyed by the subdomain of .summit.example in the e-mail addresses.
const companies = {
  lantern: { name: 'Lantern Summit', badge: 'LS' },
  kystlykt: { name: 'Kystlykt', badge: 'KY' },
  hoshimachi: { name: 'Hoshimachi Rail', badge: 'HR' },
  marula: { name: 'Marula Ledger', badge: 'ML' },
  mouette: { name: 'Atelier Mouette', badge: 'AM' },
  saffron: { name: 'Saffron & Steel', badge: 'SS' },
  nebelhorn: { name: 'Nebelhorn Werke', badge: 'NW' },
  puffinpost: { name: 'Puffinpost', badge: 'PP' },
  kettlecrane: { name: 'Kettle & Crane', badge: 'KC' },
  quetzalia: { name: 'Quetzalia Maps', badge: 'QM' },
  brightmoor: { name: 'Brightmoor Council', badge: 'BC' },
  holmvik: { name: 'Holmvik University', badge: 'HU' },
  ternclinic: { name: 'Tern Clinic', badge: 'TC' },
  wattlebird: { name: 'Wattlebird Energy', badge: 'WE' },
  loonlake: { name: 'Loonlake Weather', badge: 'LW' },
  snoflinga: { name: 'Snöflinga Games', badge: 'SG' },
  sementinha: { name: 'Sementinha Edu', badge: 'SE' },
}

type Row = [
  first_name: string,
  last_name: string,
  position: string,
  company: keyof typeof companies,
  badge_no: string,
  mailbox: string,
  mobile_no: string,
  gender: Gender,
]

// Mobile numbers are from ranges reserved for fiction, so that they reach no real person.
const rows: Row[] = [
  // 0-4: the organizers
  ['Ingrid', 'Solbakk', 'Summit Chair', 'lantern', '0001', 'ingrid', '+44 7700 900101', 'F'],
  ['Mateus', 'Carvalhal', 'Program Lead', 'lantern', '0002', 'mateus', '+33 6 39 98 01 02', 'M'],
  ['Aoife', 'Ní Bhriain', 'Participant Care', 'lantern', '0003', 'aoife', '+44 7700 900103', 'F'],
  ['Tobiasz', 'Wrzos', 'Stage and Sound', 'lantern', '0004', 'tobiasz', '+49 171 3920004', 'M'],
  ['Noor', 'El-Khatibi', 'Volunteer Lead', 'lantern', '0005', 'noor', '+46 70 174 06 05', 'F'],
  // 5-19: the speakers
  ['Solveig', 'Ødegård-Lien', 'Chief Engineer', 'kystlykt', '2041', 'solveig', '+46 70 174 06 10', 'F'],
  ['Haruka', 'Hoshikawa', 'Timetable Architect', 'hoshimachi', '0412', 'haruka', '', 'F'],
  ['Wanjiru', 'Kamotho', 'Head of Payments', 'marula', '0078', 'wanjiru', '+44 7700 900107', 'F'],
  ['Étienne', 'Lagarde-Roux', 'Design Director', 'mouette', '011', 'etienne', '+33 6 39 98 01 08', 'M'],
  ['Priyanka', 'Deshmane', 'Principal Engineer', 'saffron', '3307', 'priyanka', '+1 202 555 0109', 'F'],
  ['Jürgen', 'Hoßfeld', 'Reliability Lead', 'nebelhorn', '1180', 'juergen', '+49 171 3920010', 'M'],
  ['Oluwaseun', 'Adetimirin', 'Mobile Lead', 'puffinpost', '0260', 'seun', '+44 7700 900111', 'M'],
  ['Maeve', 'Thistlewood', 'Repair Engineer', 'kettlecrane', '07', 'maeve', '+44 7700 900112', 'F'],
  ['Xiomara', 'Quintalba', 'Map Editor', 'quetzalia', '5120', 'xiomara', '', 'F'],
  ['Callum', 'Braithmoor', 'Service Designer', 'brightmoor', '8841', 'callum', '+44 7700 900114', 'M'],
  ['Søren', 'Kjærbo', 'Database Engineer', 'kystlykt', '2077', 'soren', '+46 70 174 06 15', 'M'],
  ['Thảo Vy', 'Đặng', 'Robotics Researcher', 'holmvik', '6609', 'thaovy', '+46 70 174 06 16', 'F'],
  ['Zofia', 'Łąkowicz', 'Voice Interface Lead', 'ternclinic', '0917', 'zofia', '+49 171 3920017', 'F'],
  ['Bronte', 'Wattley-Quinn', 'Grid Software Lead', 'wattlebird', '1518', 'bronte', '+61 491 570 156', 'F'],
  ['Ravindu', 'Senarathne', 'Community Engineer', 'loonlake', '219', 'ravindu', '+1 613 555 0119', 'M'],
  // 20-47: other participants
  ['Linnéa', 'Åkerblad', 'Game Programmer', 'snoflinga', '020', 'linnea', '+46 70 174 06 20', 'F'],
  ['Amadou', 'Diakhaté', 'Backend Engineer', 'marula', '0121', 'amadou', '+33 6 39 98 01 21', 'M'],
  ['Hye-jin', 'Seokwon', 'Product Manager', 'puffinpost', '0322', 'hyejin', '+1 202 555 0122', 'F'],
  ['蓮', '小野寺', 'Mobile Engineer', 'hoshimachi', '0523', 'ren', '', 'M'],
  ['Fionnuala', 'Garrihy', 'Clinical Systems Nurse', 'ternclinic', '1024', 'fionnuala', '+44 7700 900124', 'F'],
  ['Luca', 'Bonfanelli', 'Firmware Engineer', 'kettlecrane', '12', 'luca', '+44 7700 900125', 'M'],
  ['Ximena', 'Ocaranda', 'Data Analyst', 'quetzalia', '5126', 'ximena', '+1 202 555 0126', 'F'],
  ['Yusuf', 'Karadenizli', 'Security Engineer', 'nebelhorn', '1227', 'yusuf', '+49 171 3920027', 'M'],
  ['Tāne', 'Rangihuna', 'Field Engineer', 'wattlebird', '1528', 'tane', '+61 491 570 157', 'M'],
  ['Chidinma', 'Okwuosa-Bell', 'Test Lead', 'brightmoor', '8929', 'chidinma', '+44 7700 900129', 'F'],
  ['Björn', 'Ástvaldsson', 'Platform Engineer', 'kystlykt', '2130', 'bjorn', '', 'M'],
  ['Leilani', 'Kahaleua', 'Forecast Modeller', 'loonlake', '231', 'leilani', '+1 613 555 0131', 'F'],
  ['Dmytro', 'Vyshnevych', 'Compiler Engineer', 'nebelhorn', '1232', 'dmytro', '+49 171 3920032', 'M'],
  ['Sana', 'Mirzapour', 'Accessibility Specialist', 'mouette', '033', 'sana', '+33 6 39 98 01 33', 'F'],
  ['Robin', 'Vandersteene', 'Student', 'holmvik', 'S734', 'robin', '', 'X'],
  ['Ananya', 'Kulshree', 'Student', 'holmvik', 'S735', 'ananya', '+46 70 174 06 35', 'F'],
  ['Gethin', 'Prydderch', 'Open Data Officer', 'brightmoor', '9036', 'gethin', '+44 7700 900136', 'M'],
  ['Thaís', 'Ribeirinho', 'Learning Designer', 'sementinha', '037', 'thais', '', 'F'],
  ['Kwabena', 'Poku-Mensima', 'Network Engineer', 'marula', '0138', 'kwabena', '+44 7700 900138', 'M'],
  ['Nell', 'Arkwright-Shaw', 'Technical Writer', 'kettlecrane', '15', 'nell', '+44 7700 900139', 'X'],
  ['Juhani', 'Koivulehto', 'Sensor Developer', 'loonlake', '240', 'juhani', '+46 70 174 06 40', 'M'],
  ['Rosalind', 'Pemberwick', 'Chief Technologist', 'sementinha', '041', 'rosalind', '+44 7700 900141', ''],
  ['Eszter', 'Halmágyvári', 'Data Engineer', 'saffron', '3342', 'eszter', '+49 171 3920042', 'F'],
  ['Omar', 'Benjelloul', 'User Researcher', 'puffinpost', '0343', 'omar', '+33 6 39 98 01 43', 'M'],
  ['Pilar', 'Etxeberrieta', 'Translator', 'quetzalia', '5144', 'pilar', '', 'F'],
  ['Sam', 'Oyelaran-Finch', 'Release Manager', 'snoflinga', '045', 'sam', '+44 7700 900145', 'X'],
  ['Zeynep', 'Gülümserci', 'Product Designer', 'hoshimachi', '0546', 'zeynep', '', 'F'],
  ['Emeka', 'Tranbergsen', 'Volunteer', 'lantern', '0047', 'emeka', '', ''],
]

export const people: Person[] = rows.map(
  ([first_name, last_name, position, company, badge_no, mailbox, mobile_no, gender]) => ({
    first_name,
    last_name,
    designation: `${position}, ${companies[company].name}`,
    employee_no: `${companies[company].badge}-${badge_no}`,
    email: `${mailbox}@${company}.summit.example`,
    mobile_no,
    gender,
    portrait: new Map<string, URL>(Object.entries(portraits)).get(mailbox) ?? null,
  }),
)
