/** The words and sentences of English, and so the form of every language. They are data and need no code changes. */
export const english = {
  /** Stop words, which belong to the form of a question and not to its topic. They include dialect words. */
  noise: `
    a an the this that these those there here it its i im me my mine you your yours u we our ours us he she
    they them their his her is are was were am be been being do does did done doing have has had having can
    could would should will shall may might must let lets get got give tell show see say know want wanna
    like love need please kindly what whats which who whom whose when where wheres why how hows much many
    long of in on at to for from with by about as into onto than then and or but if so too very just also
    only still again now today right really maybe any anything some something someone anyone every
    everything else all both each more most other another one ones ok okay yes no not dont im ive id cannot
    cant wont doesnt didnt isnt arent wasnt werent couldnt wouldnt shouldnt havent hasnt hadnt youre youve
    theyre price prices priced pricing cost costs sell sells sold selling out available availability stock
    serve serves served serving menu item items dish dishes hello hi hey dear thanks thank bye good morning
    evening afternoon take takes taking taken theres whats hows id ill were pls plz ur gonna gotta lot lots
    help helped helpful under below less cheaper over above sar aed kwd qar bhd omr jod egp gbp riyal riyals
    dinar dinars dirham dirhams dollar dollars usd eur euro euros minute minutes r expensive cheap
    affordable pricey rial rials between
  `,
  /** Words that help the search, but are not required in a record. */
  weak: `
    club office clinic spa studio salon gym bakery depot hotel centre center location locations number business
    main mains course courses food foods meal meals plate plates kind kinds type types sort sorts option
    options choice choices selection variety range special specials big small large medium regular extra
    fresh best favourite favorite popular famous recommend recommended suggest order ordering buy buying
    purchase try tried make made making use using tomorrow tonight yesterday week weekend month year day
    days night nights time times next last first new place places shop shops stores branch branches
    restaurant restaurants cafe company house home name family friend friends mother father wife husband kid
    kids child children person persons people guest guests us bit little full whole half great nice lovely
    delicious amazing perfect question questions offer wonder wondering think thought hope hoping looking
    look find found come coming go going goes well pair pairs visit thing things way stuff sure currently
    sir madam friend team possible able allowed accept service services treatment treatments opening
    openings gives giving happen happens happened information info detail details page pages help bring
    bringing bought old age ages aged years eat eating drinking hungry guys folks everyone anybody sunday
    monday tuesday wednesday thursday friday saturday sundays mondays tuesdays wednesdays thursdays fridays
    saturdays
  `,
  /** Words and phrases of each intent, separated by commas. */
  intents: {
    list: 'what, which, any, show, list',
    allergens:
      'allergen, allergens, allergy, allergies, allergic, intolerant, intolerance, nut, nuts, peanut, peanuts, almonds, walnut, walnuts, hazelnut, hazelnuts, cashew, cashews, pistachio, pistachios, milk, dairy, lactose, egg, eggs, gluten, wheat, sesame, soy, soya, mustard, celery, shellfish, crustaceans',
    free: 'free of, free from, without, does not contain, no nuts, nut free, gluten free, dairy free, lactose free, egg free, contain, contains, is there, are there, in it, allergic, allergy, allergies, allergen, allergens, any nuts, have nuts, have gluten',
    greeting:
      'hello, hi, hey, salam, how are you, how r u, how is it going, whats up, good morning, good evening, good afternoon, greetings',
    thanks: 'thank, thanks, thank you, thx, ty, cheers, much appreciated, bye, goodbye, good bye, see you, good night',
    person:
      'human, real person, someone real, talk to a person, talk to a manager, speak to a person, speak to someone, speak to the manager, speak to a manager, talk to someone, talk to somebody, staff member, customer service, customer support, live agent, call me, call me back',
    self: 'are you a robot, are you a bot, are you a machine, are you real, are you human, are you a human, are you an ai, who are you',
    price: 'how much, price, prices, pricing, cost, costs, fee, fees, how expensive',
    availability: 'available, availability, sold out, in stock, out of stock, still have, still get, any left',
    categories:
      'menu, categories, category, what do you serve, what do you sell, what do you have, what do you offer, what food, what can i order, what can i eat, your products, your services',
    hours:
      'until when, till when, how late, how early, open, opening, opens, close, closing, closes, closed, hours, working hours, what time, timings',
    address:
      'where are you, where is, where s, wheres, where can i find, where in, where do i find, find you, reach you, get to you, get there, address, location, locations, located, directions, map, branches, how do i get to, how to get to',
    phone:
      'phone number, your phone, phone of, the phone, by phone, telephone, mobile number, call you, contact number, your number, branch number, whatsapp',
    email: 'email, emails, e mail, mail address',
    booking:
      'book a, book an, book my, book me, book for, book us, to book, i book, we book, booking, bookings, reserve, reservation, reservations, appointment, appointments, table for, order, ordering, preorder, pre order',
    complaint:
      'complain, complaint, complaints, complaining, feedback, unhappy, not happy, disappointed, disappointing, terrible, awful, horrible, worst, rude, bad experience, bad service, refund, came without, arrived late, never arrived, was missing, wrong order, stale, overcharged, order is late, so late, was late, was cold, was raw, was burnt, were burnt, undercooked, overcooked, kept waiting, kept me waiting, kept us waiting, apologised, apologized, apology',
  },
  /** Parts of the names of fields with these facts. */
  factNames: {
    hours: 'hour open timing schedule',
    address: 'address street location',
    phone: 'phone telephone mobile whatsapp',
    email: 'email mail',
  },
  phrases: {
    greeting: 'Hello, and welcome! How can I help you?',
    thanks: 'You are welcome, and see you soon!',
    self: 'These replies are made automatically from what this business has published. A member of our team will help you here with everything else.',
    handOver: 'I could not find this. A member of our team will help you here.',
    handOverWanted: 'Of course. A member of our team will help you here.',
    sorry: 'We are sorry about that. A member of our team will help you here.',
    orForm: (title: string) => ` You can also use our form “${title}”.`,
    price: (name: string, prices: string) => `${name}: ${prices}.`,
    noPrice: (name: string) => `The price of ${name} is not listed; our team will tell you.`,
    available: (name: string) => `${name} is available.`,
    soldOut: (name: string) => `${name} is sold out right now.`,
    soldOutMark: ' (sold out right now)',
    allergens: (list: string) => `Allergens: ${list}.`,
    noAllergens: 'No allergens are listed for it.',
    dietary: (list: string) => `It is labelled ${list}.`,
    askAboutAllergies: 'If you have an allergy, please tell our team before you order.',
    found: (total: number) => (total === 1 ? 'We have this:' : `We have ${total} that fit:`),
    inCategory: (category: string) => `In ${category} we have:`,
    categories: 'Our menu has these categories:',
    more: (count: number) => `and ${count} more`,
    form: (title: string, fields: string) => `Please use our form “${title}”. It asks for: ${fields}.`,
    comma: ', ',
    /** Labels whose spoken form differs from the written one, e.g. TREE_NUTS. */
    labels: {} as Readonly<Record<string, string>>,
    /** The name of a currency. @param code such as SAR */
    currencyOf: (code: string) => code,
  },
};

export type Language = Readonly<typeof english>;
export type Phrases = Readonly<Language['phrases']>;
/** Intents of a message. */
export type Intent = keyof Language['intents'];
/** The kinds of facts in entry fields. */
export type FactKind = keyof Language['factNames'];
