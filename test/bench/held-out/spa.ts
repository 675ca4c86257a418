import { category, database, entries, form, type HeldOutBusiness, product } from './workspace.ts';

const en = (text: string, ar?: string) => ({ en: text, ...(ar !== undefined && { ar }) });
const periods = [1, 2, 3, 4, 5, 6].map((day) => ({ open: { day, time: '1000' }, close: { day, time: '2100' } }));

/** A day spa with treatments, therapists and rules. The opening hours are in the format of Google Places. */
export const heldOutSpa: HeldOutBusiness = {
  document: {
    version: 1,
    workspace: {
      id: 'ws_heldout_spa',
      name: 'Still Water Spa',
      languages: ['en', 'ar'],
      defaultLanguage: 'en',
      currency: 'AED',
    },
    cms: {
      models: [
        database('locations', 'Locations', {
          name: 'TEXT',
          address: 'TEXT',
          phone: 'phone',
          email: 'email',
          hours: 'json',
          map: 'url',
        }),
        database('therapists', 'Therapists', { name: 'TEXT', speciality: 'TEXT', languages: 'text', bio: 'LONG' }),
        database('policies', 'Policies', { title: 'TEXT', text: 'RICH', order: 'number' }),
        database('faqs', 'Questions', { q: 'TEXT', a: 'LONG' }),
        database('offers', 'Offers', { title: 'TEXT', details: 'LONG', code: 'text' }),
      ],
      entries: [
        ...entries('locations', [
          {
            name: en('Still Water Marina', 'ستيل ووتر مارينا'),
            address: en('Marina Walk, Tower 4, Dubai', 'ممشى المارينا، برج ٤، دبي'),
            phone: '+971 4 555 0101',
            email: 'marina@stillwater.example',
            hours: { periods },
            map: 'https://maps.example/marina',
          },
        ]),
        ...entries('therapists', [
          {
            name: en('Noura Haddad', 'نورة حداد'),
            speciality: en('Deep tissue massage', 'تدليك الأنسجة العميقة'),
            languages: 'Arabic, English',
            bio: en('Noura is a physiotherapist and works with runners.'),
          },
          {
            name: en('Mei Tan'),
            speciality: en('Facials'),
            languages: 'English, Mandarin',
            bio: en('Mei has looked after sensitive skin for twelve years.'),
          },
        ]),
        ...entries('policies', [
          {
            title: en('Cancellation', 'الإلغاء'),
            text: en(
              'Cancel or move a booking free of charge up to <strong>12 hours</strong> before. After that we charge half of the price.',
              'يمكن الإلغاء مجانًا قبل ١٢ ساعة من الموعد.',
            ),
            order: 1,
          },
          { title: en('Late arrival'), text: en('If you are late, your treatment still ends on time.'), order: 2 },
          { title: en('Age limit'), text: en('Guests must be 16 or older; 16 and 17 come with a parent.'), order: 3 },
          {
            title: en('Pregnancy'),
            text: en(
              'We treat guests from the 13th week on, with a doctor&#39;s note. Sauna and steam are closed to pregnant guests.',
            ),
            order: 4,
          },
        ]),
        ...entries('faqs', [
          {
            q: en('What should I wear?', 'ماذا ألبس؟'),
            a: en(
              'Robe, slippers and disposable underwear are provided; bring a swimsuit for the pool.',
              'نوفر الروب والنعال، وأحضروا ملابس السباحة للمسبح.',
            ),
          },
          {
            q: en('Do you have separate areas for women and men?', 'هل الأقسام منفصلة للنساء والرجال؟'),
            a: en(
              'Yes, changing rooms, sauna and steam are separate; the pool is shared.',
              'نعم، غرف التبديل والساونا منفصلة والمسبح مشترك.',
            ),
          },
          {
            q: en('Can I buy a gift card?'),
            a: en('Yes, from AED 200, at reception or online; it is valid for one year.'),
          },
          { q: en('Is there valet parking?'), a: en('Valet parking is free for three hours.') },
          { q: en('Should I shave before waxing?'), a: en('No, hair should be about half a centimetre long.') },
          { q: en('How early should I arrive?'), a: en('Fifteen minutes before your treatment.') },
          { q: en('Do you accept walk-ins?'), a: en('Only if a therapist is free; it is safer to book.') },
        ]),
        ...entries('offers', [
          {
            title: en('Weekday mornings'),
            details: en('20% off all massages from Monday to Thursday before noon.'),
            code: 'WM20',
          },
          {
            title: en('Bring a friend'),
            details: en('Your friend gets a foot massage for free with any facial.'),
            code: 'FRIEND',
          },
        ]),
      ],
    },
    menu: {
      categories: [
        category('massage', en('Massages', 'التدليك')),
        category('facial', en('Facials', 'العناية بالوجه')),
        category('body', en('Body')),
      ],
      products: [
        product(
          'massage',
          en('Swedish massage', 'تدليك سويدي'),
          { '60 minutes': 320, '90 minutes': 450 },
          { intro: en('Long, calm strokes.'), preparationTime: null },
        ),
        product('massage', en('Deep tissue massage', 'تدليك عميق'), { '60 minutes': 360 }),
        product('massage', en('Hot stone massage', 'تدليك بالأحجار الساخنة'), 420),
        product('facial', en('Hydrating facial', 'تنظيف مرطب'), 380, {
          intro: en('For dry skin, with hyaluronic acid.'),
        }),
        product('facial', en('Gold facial'), 650, { soldout: true }),
        product('body', en('Moroccan bath', 'حمام مغربي'), 300, {
          description: en('Black soap, kessa scrub and rhassoul clay.'),
        }),
        product('body', en('Full leg wax'), 180),
        product('body', en('Day pass'), 150, { intro: en('Pool, sauna and steam for the whole day.') }),
      ],
    },
    forms: [form('booking', en('Book a treatment', 'احجز جلسة')), form('feedback', en('Feedback'))],
  },
  questions: [
    ['how much is a swedish massage for 90 minutes', '450'],
    ['price of moroccan bath', '300'],
    ['what does a deep tissue massage cost', '360'],
    ['hot stone massage price pls', '420'],
    ['is the gold facial available', 'sold out'],
    ['how much to get my legs waxed', '180'],
    ['do you have a day pass and how much', '150'],
    ['what facials do you offer', 'Hydrating'],
    ['which massages can I get', 'Swedish'],
    ['what is in the moroccan bath', 'soap'],
    ['which facial is good for dry skin', 'Hydrating'],
    ['cheapest massage?', '320'],
    ['treatments under 200', '180', '150'],
    ['what time do you open', '10:00'],
    ['are you open on sunday', 'Monday'],
    ['until when are you open on friday', '21:00'],
    ['where are you located', 'Marina Walk'],
    ['whats your phone number', '555 0101'],
    ['your email address?', 'marina@stillwater.example'],
    ['how do I get in touch', '555 0101'],
    ['can I cancel my appointment', '12 hours'],
    ['what is your cancellation policy', '12 hours'],
    ['what if I come late', 'ends on time'],
    ['what is the minimum age', '16'],
    ['can my 15 year old daughter come', '16'],
    ['im pregnant, can i have a massage', '13th week'],
    ['what should I wear', 'Robe'],
    ['do I need to bring a swimsuit', 'swimsuit'],
    ['are men and women separate', 'separate'],
    ['do you sell gift cards', '200'],
    ['how long is a gift card valid', 'one year'],
    ['is there valet parking', 'free for three hours'],
    ['do i have to shave before a wax', 'half a centimetre'],
    ['how early do I need to be there', 'Fifteen minutes'],
    ['can i just walk in', 'therapist is free'],
    ['any offers in the morning', '20%'],
    ['do you have discounts', '20%'],
    ['who does deep tissue', 'Noura'],
    ['which therapist speaks mandarin', 'Mei'],
    ['tell me about Noura', 'physiotherapist'],
    ['i would like to book a facial', 'Book a treatment'],
    ['do you do botox'],
    ['do you have a branch in Abu Dhabi'],
    ['can you fix my laptop'],
    ['do you sell coffee'],
    ['I want to complain about my therapist, get me the manager'],
    ['بكم الحمام المغربي', '300'],
    ['متى تفتحون', '10:00'],
    ['وين مكانكم', 'المارينا'],
    ['ابغى احجز جلسة', 'احجز جلسة'],
    ['هل فيه قسم خاص للنساء', 'منفصلة'],
  ],
};
