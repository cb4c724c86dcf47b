/** Words of twelve scripts and the separator between them, which is empty for scripts without spaces. */
export const SCRIPTS: Record<string, { words: readonly string[]; between: string }> = {
  latin: {
    words: ['harbour', 'Straße', 'naïve', 'çekirdek', 'İstanbul', 'żółć', 'Ångström', 'ﬃnger'],
    between: ' ',
  },
  cyrillic: { words: ['море', 'ёлка', 'щедрый', 'Їжак', 'љубав', 'объект'], between: ' ' },
  greek: { words: ['θάλασσα', 'Ὀδυσσεύς', 'σοφός', 'ΐ', 'Ἀθῆναι'], between: ' ' },
  arabic: { words: ['ﷺ', 'ﷲ', 'ﷻ', 'البحر', 'لا', 'كتابـــــ', 'مَدْرَسَة'], between: '' },
  hebrew: { words: ['שָׁלוֹם', 'יָם', 'סֵפֶר', 'ﬡ', 'ירושלים'], between: ' ' },
  devanagari: { words: ['नमस्ते', 'क्ष्म्य', 'समुद्र', 'ज़िंदगी', 'किताब'], between: '' },
  thai: { words: ['ทะเล', 'หนังสือ', 'กินข้าว', 'เมื่อวาน', 'น้ำ', 'ที่'], between: '' },
  khmer: { words: ['សមុទ្រ', 'សៀវភៅ', 'ខ្ញុំ', 'ស្រ្តី', 'ភាសាខ្មែរ'], between: '' },
  lao: { words: ['ທະເລ', 'ປຶ້ມ', 'ກິນເຂົ້າ', 'ພາສາລາວ', 'ນ້ຳ'], between: '' },
  burmese: { words: ['ပင်လယ်', 'စာအုပ်', 'မြန်မာ', 'က္က', 'ငါ့'], between: '' },
  han: { words: ['海', '圖書館', '我昨天', '𠮷', '學習', '咖啡店', '今日'], between: '' },
  'hangul-kana': { words: ['바다', '도서관', '갂', 'うみ', 'カタカナ', 'ﾊﾟﾋﾟ', 'ー'], between: '' },
};

/** Special characters: joining, stacking, direction-changing and invisible ones. */
export const ODD_SIGNS: Record<string, { words: readonly string[]; between: string }> = {
  emoji: {
    words: ['👩‍👩‍👧‍👦', '🏳️‍🌈', '👍🏽', '🇵🇹', '1️⃣', '🐈‍⬛', '\u{E0067}\u{E007F}', '\u200d', '🇵'],
    between: '',
  },
  combining: {
    words: ['e\u0301', `a${'\u0316\u0301'.repeat(40)}`, '\u0338', 'o\u0328\u0304', 'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢'],
    between: '',
  },
  invisible: {
    words: [
      '\u202e',
      '\u2066',
      '\u2069',
      '\u200b',
      '\ufeff',
      '\u00ad',
      '\u2028',
      'word',
      '＜／',
      '﹤',
    ],
    between: '',
  },
  punctuation: {
    words: [',', '.', '!', '"', "'", '(', ':', '\t', ' ', '\n', '…', '-', '\\', '<', '\u00a0', '|'],
    between: '',
  },
};
